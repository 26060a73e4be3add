export { createBuiltinProvider } from './builtin-provider.ts'
export { builtinSetupHint } from './messages.ts'
