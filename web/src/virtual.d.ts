declare module 'virtual:api-schema' {
  import type { ApiSchema } from './editor/schema';
  const schema: ApiSchema;
  export default schema;
}
