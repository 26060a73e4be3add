import type { ModelFailure, ModelProvider } from '@copydesk/agent'

/** A model that answers each call with this failure, so that its run ends with a text for people. */
export function createFailingProvider(id: string, model: string, failure: ModelFailure): ModelProvider {
  return {
    id,
    model,
    async *stream() {
      yield { type: 'failed', failure, usage: { inputTokens: 0, outputTokens: 0 } }
    },
  }
}

/**
 * The same model with failures for people: without the key, which some services repeat in their errors, and, if the
 * service doesn't know the model, with `setAnother`, which says where to set another model.
 */
export function explainFailures(
  provider: ModelProvider,
  { key, setAnother }: { key?: string | null | undefined; setAnother: string },
): ModelProvider {
  const explain = (failure: ModelFailure): ModelFailure => {
    const { message, ...rest } = key ? withoutKey(failure, key) : failure
    return { ...rest, message: failure.status === 404 ? `${message} (${setAnother})` : message }
  }
  return {
    id: provider.id,
    model: provider.model,
    async *stream(request, options) {
      for await (const event of provider.stream(request, options)) {
        yield event.type === 'failed' ? { ...event, failure: explain(event.failure) } : event
      }
    },
  }
}

/** The failure with the key removed from its message. */
export function withoutKey(failure: ModelFailure, key: string): ModelFailure {
  return { ...failure, message: failure.message.replaceAll(key, '…') }
}
