import type { ModelRef } from '@copydesk/protocol'

/*
 * A reference is stable text: it stays the same when its provider is renamed, gets another key or another address. The
 * name of a model may contain slashes, the id of a provider doesn't.
 */

/** The model configured by the environment. Its provider has the same id. */
export const environmentRef: ModelRef = 'environment'

/** The built-in agent, which needs no model. Its provider has the same id. */
export const builtinRef: ModelRef = 'builtin'

/** The reference to a model of a provider that an operator has added. */
export function toModelRef({ provider, model }: { provider: string; model: string }): ModelRef {
  return `${provider}/${model}`
}

/** The provider and model of a reference; `model` is empty for the environment's and the built-in one. */
export function readModelRef(ref: ModelRef): { provider: string; model: string } {
  const slash = ref.indexOf('/')
  return slash < 0 ? { provider: ref, model: '' } : { provider: ref.slice(0, slash), model: ref.slice(slash + 1) }
}
