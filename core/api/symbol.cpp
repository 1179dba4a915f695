#include "core/api/symbol.h"

#include <deque>
#include <unordered_map>

namespace podberth::api {

namespace {

template <class Entry>
struct Table {
  // A deque, so that entries stay where they are.
  std::deque<Entry> entries;
  std::unordered_map<std::string_view, const Entry*> by_text;

  Table() { add({}); }

  const Entry* add(std::string_view text) {
    Entry entry;
    entry.text = text;
    entry.id = static_cast<std::uint32_t>(entries.size());
    entries.push_back(std::move(entry));
    const Entry* stored = &entries.back();
    by_text[stored->text] = stored;
    return stored;
  }
};

// Never destroyed: symbols of static duration outlive everything.
template <class Entry>
Table<Entry>& table() {
  static Table<Entry>* const t = new Table<Entry>;
  return *t;
}

}  // namespace

Symbol::Symbol(std::string_view text) : entry_(intern(text)) {}

const Symbol::Entry* Symbol::emptyEntry() noexcept {
  static const Entry* const empty = &table<Entry>().entries.front();
  return empty;
}

const Symbol::Entry* Symbol::intern(std::string_view text) {
  Table<Entry>& t = table<Entry>();
  const auto it = t.by_text.find(text);
  return it != t.by_text.end() ? it->second : t.add(text);
}

}  // namespace podberth::api
