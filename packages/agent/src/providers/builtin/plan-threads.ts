import type { Command } from './command.ts'
import { plainResult, readError } from './results.ts'
import { callOf, resultOf } from './turn.ts'
import type { Exchanged, Move, Turn } from './turn.ts'
import { countOf, quote } from './builtin-messages.ts'

type Thread = { id: string; resolved: boolean; quote: string; comments: { author: string; text: string }[] }

const maxCalls = 50

/** Lists the comments, each with the text that it is on, its authors and their messages. */
export function planListComments({ resolved }: Extract<Command, { kind: 'list-comments' }>, turn: Turn): Move {
  const read = readComments(turn, resolved === undefined ? {} : { resolved })
  if (!('threads' in read)) return read
  const { threads, more } = read
  const which = resolved === undefined ? '' : resolved ? 'resolved ' : 'open '
  if (threads.length === 0) return { text: `There are no ${which}comments.` }
  const lines = threads.map((thread) => {
    const said = thread.comments.map(({ author, text }) => `${author}: ${quote(text)}`).join(' · ')
    return `- on ${quote(thread.quote)}${thread.resolved && resolved === undefined ? ' (resolved)' : ''}: ${said}`
  })
  return { text: [...lines, ...more].join('\n') }
}

/** Resolves all open threads, or the thread that is named by its text or is the only one. */
export function planResolve({ on, all }: Extract<Command, { kind: 'resolve-comments' }>, turn: Turn): Move {
  if (!turn.offers('resolve_comment')) return { text: 'I can not resolve comments here.' }
  const made = turn.rounds.flat().filter(({ call }) => call.name === 'resolve_comment')
  if (made.length > 0) return { text: tellResolved(made) }
  const read = readComments(turn, { resolved: false })
  if (!('threads' in read)) return read
  const chosen = choose(read.threads, on, all)
  if (typeof chosen === 'string') return { text: chosen }
  const calls = chosen.map(({ id }) => ({ name: 'resolve_comment', arguments: { commentId: id } }))
  return { text: '', calls: calls.slice(0, maxCalls) }
}

/** Replies to the thread that is named by its text or is the only open one. */
export function planReply({ on, text }: Extract<Command, { kind: 'reply' }>, turn: Turn): Move {
  if (!turn.offers('reply_to_comment')) return { text: 'I can not reply to comments here.' }
  const done = resultOf(turn, 'reply_to_comment')
  if (done?.result.isError) return { text: `- Not replied: ${readError(done.result.text)}` }
  if (done) return { text: `- replied ${quote(text)}` }
  const read = readComments(turn, { resolved: false })
  if (!('threads' in read)) return read
  const chosen = choose(read.threads, on, false)
  if (typeof chosen === 'string') return { text: chosen }
  const [thread] = chosen
  return thread ? callOf('reply_to_comment', { commentId: thread.id, text }) : { text: 'There are no open comments.' }
}

function tellResolved(made: readonly Exchanged[]): string {
  const failed = made.filter(({ result }) => result.isError)
  const done = made.length - failed.length
  const [first] = failed
  return [
    ...(done > 0 ? [`- resolved ${countOf(done, 'comment')}`] : []),
    ...(first ? [`- Not resolved: ${readError(first.result.text)}`] : []),
  ].join('\n')
}

function choose(threads: readonly Thread[], on: string | undefined, all: boolean): readonly Thread[] | string {
  const wanted = on?.toLowerCase()
  const found = threads.filter((thread) => wanted === undefined || thread.quote.toLowerCase().includes(wanted))
  if (found.length === 0)
    return on === undefined ? 'There are no open comments.' : `There is no open comment on ${quote(on)}.`
  if (found.length === 1 || all) return found
  return `There are ${found.length} open comments${on === undefined ? '' : ` on ${quote(on)}`}. Say which, by the text that it is on.`
}

function readComments(turn: Turn, filter: Record<string, unknown>): Move | { threads: Thread[]; more: string[] } {
  if (!turn.offers('read_comments')) return { text: 'I can not see comments here.' }
  const read = resultOf(turn, 'read_comments')
  if (!read) return callOf('read_comments', filter)
  if (read.result.isError) return { text: `- I could not read the comments: ${readError(read.result.text)}` }
  const threads: Thread[] = []
  const more: string[] = []
  for (const line of plainResult(read.result.text).split('\n')) readLine(line, threads, more)
  return { threads, more }
}

// Every line of user-written text has the prefix ">", so that no comment can imitate a thread.
function readLine(line: string, threads: Thread[], more: string[]): void {
  const thread = /^Thread (\S+), (open|resolved), [^:]*: "(.*)"$/.exec(line)
  const comment = /^(.+?)(?:, an agent)? \(comment \S+\):$/.exec(line)
  const comments = threads.at(-1)?.comments
  const last = comments?.at(-1)
  if (line.startsWith('> ')) {
    if (last) last.text += `${last.text === '' ? '' : '\n'}${line.slice(2)}`
  } else if (thread) {
    threads.push({ id: thread[1] ?? '', resolved: thread[2] === 'resolved', quote: thread[3] ?? '', comments: [] })
  } else if (comment) comments?.push({ author: comment[1] ?? '', text: '' })
  else if (/^…and \d+ more/.test(line)) more.push(line.replace(/;.*$/, ''))
}
