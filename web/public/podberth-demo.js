// <podberth-demo example="first-binding" step="3" theme="dark" view="board"></podberth-demo>
// or with YAML inside: <podberth-demo><script type="application/yaml">…</script></podberth-demo>
// Wraps embed.html in a frame that is as high as what it shows. Sends on what the frame says as events "podberth-ready",
// "podberth-step" and "podberth-error"; has step(), back(), play(), pause(), toStart(), toEnd() and set({scenario, step, …}).
const base = new URL('embed.html', import.meta.url);

class PodberthDemo extends HTMLElement {
  static observedAttributes = ['example', 'step', 'theme'];
  #frame = null;
  #ready = false;
  #waiting = [];

  connectedCallback() {
    if (this.#frame) return;
    const inline = this.querySelector('script[type="application/yaml"]')?.textContent;
    const parameters = new URLSearchParams();
    for (const name of ['example', 'theme', 'view', 'step']) {
      const value = this.getAttribute(name);
      if (value !== null) parameters.set(name, value);
    }
    const link = this.getAttribute('scenario'); // the part of a shared link after "s="
    if (link !== null) parameters.set('s', link);
    const frame = document.createElement('iframe');
    frame.src = `${base.href}#${parameters}`;
    frame.title = this.getAttribute('title') ?? 'Podberth: the Kubernetes scheduler, step by step';
    frame.loading = 'lazy';
    frame.allow = 'clipboard-write';
    frame.style.cssText = 'display:block;width:100%;border:0;height:640px';
    this.#frame = frame;
    window.addEventListener('message', this.#hear);
    if (inline) this.set({ scenario: inline, step: Number(this.getAttribute('step') ?? 0) });
    this.append(frame);
  }

  disconnectedCallback() {
    window.removeEventListener('message', this.#hear);
    this.#frame?.remove();
    this.#frame = null;
    this.#ready = false;
  }

  attributeChangedCallback(name, old, value) {
    if (old === null || value === null || !this.#frame) return;
    this.set({ [name]: name === 'step' ? Number(value) : value });
  }

  #hear = (event) => {
    if (event.source !== this.#frame?.contentWindow || event.data?.podberth !== 1) return;
    const { type, ...detail } = event.data;
    if (type === 'height' && Number.isFinite(detail.height)) this.#frame.style.height = `${Math.min(detail.height, 4000)}px`;
    if (type === 'ready') {
      this.#ready = true;
      for (const message of this.#waiting.splice(0)) this.#send(message);
    }
    if (['ready', 'step', 'error'].includes(type)) this.dispatchEvent(new CustomEvent(`podberth-${type}`, { detail }));
  };

  #send(message) {
    if (this.#ready) this.#frame?.contentWindow?.postMessage({ podberth: 1, ...message }, '*');
    else this.#waiting.push(message);
  }

  set(values) {
    this.#send({ type: 'set', ...values });
  }
  step() {
    this.#send({ type: 'step' });
  }
  back() {
    this.#send({ type: 'back' });
  }
  play() {
    this.#send({ type: 'play' });
  }
  pause() {
    this.#send({ type: 'pause' });
  }
  toStart() {
    this.#send({ type: 'toStart' });
  }
  toEnd() {
    this.#send({ type: 'toEnd' });
  }
}

customElements.define('podberth-demo', PodberthDemo);
