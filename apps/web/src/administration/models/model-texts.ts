import type { ModelProblem, ModelTest, Provider, ProviderList, ProviderModel } from '@copydesk/protocol'
import { formatList, formatNumber } from '../../i18n/format.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'

const problems: Readonly<Record<ModelProblem, EnglishText>> = {
  'unknown-host': 'There is no host of this name. Check the address.',
  refused: 'Nothing answers at this address. Is the model server running?',
  certificate: 'No secure connection: the certificate is not accepted, or the address has to begin with http://.',
  unreachable: 'The connection broke off.',
  address: 'Something answers at this address, but no model server. Check the address: often /v1 is missing.',
  key: 'The key is not accepted. Check it, or enter another.',
  locked: 'The key can’t be read, since the SECRET of this server is another one now. Enter it again.',
  'no-model': 'The provider has no model of this name.',
  limit: 'The provider takes no more requests now: a limit is reached, or the credit is used up.',
  overloaded: 'The provider is overloaded or has an error of its own. Try again later.',
  rejected: 'The provider rejects the request.',
  answer: 'The answer can’t be read. Is this the address of a model server?',
  'no-tools': 'It answers, but it uses no tools: it can’t read or change documents.',
  slow: 'It gave no answer in time.',
  removed: 'This model was removed.',
}

/** Why a model can't be used, in a sentence with a remedy. */
export function problemInWords(problem: ModelProblem): string {
  return t(problems[problem])
}

const slowAfterMs = 15_000

export function describeTest({ problem, durationMs }: ModelTest): string {
  if (problem !== null) return problemInWords(problem)
  const time = formatNumber(Math.max(0.1, durationMs / 1000), { maximumFractionDigits: 1 })
  if (durationMs < slowAfterMs) return t('It works: it answered in {time} s and uses tools.', { time })
  return t('It works, but slowly: it answered in {time} s. People will wait for it.', { time })
}

/** The price of a model, or that it has none. */
export function priceInWords({ inputPrice, outputPrice }: ProviderModel): string {
  if (inputPrice === null && outputPrice === null) return t('No price')
  const [input, output] = [inputPrice ?? 0, outputPrice ?? 0].map((price) =>
    formatNumber(price, { minimumFractionDigits: 2, maximumFractionDigits: 6 }),
  )
  return t('{input} in, {output} out', { input: input ?? '', output: output ?? '' })
}

/** The largest request to a model; empty for the built-in agent. */
export function windowInWords({ ref, contextTokens }: ProviderModel, { defaultContextTokens }: ProviderList): string[] {
  if (ref === 'builtin') return []
  return [t('window {count}', { count: formatNumber(contextTokens ?? defaultContextTokens) })]
}

/** The agents that use a model; empty if none does. */
export function usersInWords({ agents }: ProviderModel): string[] {
  return agents.length === 0 ? [] : [t('Used by {names}', { names: formatList(agents) })]
}

/** The state of a provider's key, without the key. */
export function keyInWords({ key, keyEnd }: Provider): string {
  if (key === 'none') return t('No key')
  return keyEnd === null ? t('Key stored') : t('Key ends with {end}', { end: keyEnd })
}
