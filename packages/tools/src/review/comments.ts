import { localizable } from '../common/localizable.ts'
import { failure, type ToolFailure, tooLong } from '../common/result.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { HostThread, ReviewHost } from '../session/host/host.ts'
import type { Target } from './target.ts'

const longest = 20_000
/** A thread stores the first 2,000 characters of its text; a longer text can't be compared with it. */
const longestReplacement = 2_000

/** The session's host, or `not_configured` if the session has none. */
export function requireHost(session: DocumentSession): { ok: true; host: ReviewHost } | ToolFailure {
  if (session.host) return { ok: true, host: session.host }
  return failure(
    'not_configured',
    'This session has only the document: no comments, decisions or highlights.',
    'Say in words what you would have done. An operator opens such a session with a host for reviews.',
  )
}

/** The trimmed text of a comment; a failure if it is empty or has more than 20,000 characters. */
export function checkComment(text: string): { ok: true; text: string } | ToolFailure {
  const trimmed = text.trim()
  if (trimmed === '') return failure('invalid_input', 'text is empty.', 'text: write what the comment says.')
  if (trimmed.length <= longest) return { ok: true, text: trimmed }
  return tooLong('text', longest, 'Write a shorter comment, or several.')
}

/**
 * The replacement that a comment proposes for the quoted text; none if it is blank or equal to the quote. A failure if
 * it has more than 2,000 characters, or if the quote does, is empty, or is not in one text block.
 */
export function checkReplacement(
  given: string | undefined,
  quote: string,
  target: Target & { ok: true },
): { ok: true; replacement: { replacement?: string } } | ToolFailure {
  const replacement = given?.replaceAll(/\r\n?/g, '\n').toWellFormed()
  if (replacement === undefined || replacement.trim() === '' || replacement === quote)
    return { ok: true, replacement: {} }
  if (Math.max(replacement.length, quote.length) > longestReplacement) {
    return failure(
      'too_large',
      localizable`The text to replace and replacement have at most ${longestReplacement.toLocaleString('en')} characters each.`,
      'Comment on a shorter text, or leave out replacement.',
    )
  }
  const isInOneBlock = target.kind === 'text' || (target.kind === 'block' && target.block.node.isTextblock)
  if (isInOneBlock && quote !== '') return { ok: true, replacement: { replacement } }
  return failure(
    'invalid_operation',
    'A replacement needs a text in one block.',
    'Comment on each block separately, or leave out replacement.',
  )
}

/** Finds a thread by its own id or by the id of one of its comments. */
export function findThread(id: string, host: ReviewHost): { ok: true; thread: HostThread } | ToolFailure {
  const wanted = bare(id)
  const thread = host
    .threads()
    .find((each) => each.id === wanted || each.comments.some((comment) => comment.id === wanted))
  if (thread) return { ok: true, thread }
  return failure(
    'not_found',
    localizable`There is no thread or comment ${JSON.stringify(wanted.slice(0, 80))}.`,
    'read_comments shows the threads with their ids.',
  )
}

// Removes the word or the brackets that a read shows around an id, which a model may repeat.
function bare(id: string): string {
  return id
    .trim()
    .replace(/^[[(#]+|[\])]+$/g, '')
    .replace(/^(?:thread|comment)\s+/i, '')
}
