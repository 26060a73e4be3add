import type { Run } from '@copydesk/protocol'

const inWords: Readonly<Record<string, string>> = {
  overloaded: 'The model service is overloaded. Try again.',
  network: 'The model service can’t be reached. Try again.',
  stalled: 'The model stopped in the middle of its answer. Try again.',
  invalid_response: 'The model’s answer couldn’t be read. Try again.',
  rate_limited: 'The model service gets too many requests right now. Wait a minute, then try again.',
  unauthorized: 'The model service doesn’t accept this server’s key. Ask whoever runs the server to look at it.',
  tools_unsupported:
    'This model can’t use tools, so it can’t work on the document. Ask whoever runs the server for another one.',
}

const spent = 'The server’s account at the model service is used up. Ask whoever runs the server.'
const refused = 'The model service refused the request.'
// For these codes the server itself wrote the message.
const ours = new Set(['internal', 'timeout', 'budget_exceeded', 'forbidden', 'limit_reached'])
const longest = 300

/**
 * Why a run failed and what the user can do, in plain words; the provider's message is appended only if it reads like a
 * sentence.
 */
export function describeProblem(error: Run['error']): string {
  if (!error) return 'Something went wrong. Try again.'
  const { code, message } = error
  if (ours.has(code)) return message
  if (code === 'rate_limited' && /quota|credit|billing/i.test(message)) return spent
  const words = inWords[code]
  if (words !== undefined) return words
  const detail = readable(message)
  return detail === undefined
    ? `${refused} Try again, or ask whoever runs the server.`
    : `${refused} It says: ${detail}`
}

function readable(message: string): string | undefined {
  const text = message.trim()
  return text === '' || text.length > longest || /[{}<>[\]]|\n/.test(text) ? undefined : text
}
