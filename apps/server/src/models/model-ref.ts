/**
 * A reference to a model, as agents store it: `environment` (the one that the environment sets), `builtin` (the agent
 * that needs no model), or `<id of a provider>/<name of its model>`; null where a column or field allows it is the
 * server's default. A reference stays the same when the provider is renamed, gets another key or address. A name may
 * contain slashes, an id doesn't.
 */
export type ModelRef = string

/** The model that the environment sets. Its provider has the same id. */
export const environmentRef: ModelRef = 'environment'

/** The agent that needs no model. Its provider has the same id. */
export const builtinRef: ModelRef = 'builtin'

/** The reference to a model of a provider that an operator has added. */
export function toModelRef({ provider, model }: { provider: string; model: string }): ModelRef {
  return `${provider}/${model}`
}

/** The provider and model of a reference; `model` is empty for those of the environment and the built-in one. */
export function readModelRef(ref: ModelRef): { provider: string; model: string } {
  const slash = ref.indexOf('/')
  return slash < 0 ? { provider: ref, model: '' } : { provider: ref.slice(0, slash), model: ref.slice(slash + 1) }
}
