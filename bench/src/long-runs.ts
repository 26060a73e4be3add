import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import { post, startCopydeskWith } from './load-target.ts'
import { ask, base, charactersPerToken, documentOf } from './requests.ts'

const steps = 60
const words = 200_000
const shown = [1, 10, 20, 30, 40, 50, 60]

type Rounds = Record<`round ${number}` | 'all rounds', number>

/** Tokens a round of a run that reads on with each step: if all were sent, as it is sent, and in a small window. */
export async function measureLongRuns(): Promise<Record<string, Rounds>> {
  const usual = await measure({})
  const small = await measure({ AGENT_CONTEXT_TOKENS: '30000' })
  const name = `${steps} steps over ${words.toLocaleString('en')} words`
  return {
    [`${name}, all sent`]: toRow(usual.whole),
    [`${name}, as sent`]: toRow(usual.sent),
    [`${name}, window of 30,000`]: toRow(small.sent),
  }
}

/** The tokens of each round, as sent and if each result had stayed whole. Calls for summaries are in `sent` rounds. */
async function measure(settings: Record<string, string>): Promise<{ sent: number[]; whole: number[] }> {
  let made = 0
  let from = 0
  const sent: number[] = []
  const whole: number[] = []
  const script: ModelScript = ({ body, lastUser, results }) => {
    const size = JSON.stringify(body).length / charactersPerToken
    if (lastUser.includes('Write a summary for yourself')) {
      sent[made] = (sent[made] ?? 0) + size
      return `Read up to block ${from}; nothing to correct so far.`
    }
    sent[made] = (sent[made] ?? 0) + size
    // What is new in this round is the last call and its result.
    whole[made] = made === 0 ? size : (whole[made - 1] ?? 0) + (results.at(-1)?.length ?? 0) / charactersPerToken + 50
    if (made === steps) return 'Nothing to correct.'
    made += 1
    from += 18
    return { chunks: [{ toolCall: { name: 'read_document', arguments: { from } } }] }
  }
  const model = await createModelServer({ provider: 'openai', script })
  const server = await startCopydeskWith({ ...model.environment, AGENT_MAX_ROUNDS: '100', ...settings })
  try {
    const { token } = await post<{ token: string }>(base, '/api/session', { name: 'Ana' })
    const { id } = await post<{ id: string }>(base, '/api/documents', { markdown: documentOf(words) }, token)
    await ask(id, 'Read it all, and correct the spelling.', token)
    return { sent, whole }
  } finally {
    await server.close()
    await model.close()
  }
}

function toRow(rounds: readonly number[]): Rounds {
  const row: Rounds = { 'all rounds': Math.round(rounds.reduce((sum, each) => sum + each, 0)) }
  for (const round of shown) row[`round ${round}`] = Math.round(rounds[round - 1] ?? 0)
  return row
}
