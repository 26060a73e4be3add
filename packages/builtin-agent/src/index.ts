export { createBuiltinProvider } from './builtin-provider.ts'
