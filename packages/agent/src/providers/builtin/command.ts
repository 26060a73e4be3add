import type { Phrase, Scope } from './phrases.ts'

/** A format of text or of whole blocks, in the terms of `apply_formatting`; `name` is its everyday name. */
export type Format = { type: string; name: string; level?: number; href?: string }

/** Where new text is inserted: at an end of the document, next to a text, or at the person's caret. */
export type Place =
  | { kind: 'absolute'; location: 'start' | 'end' }
  | { kind: 'relative'; anchor: string; placement: 'before' | 'after'; which: { occurrence?: 'first' | 'last' } }
  | { kind: 'selection' }

/** A text to find, or the person's selection (`find` is then its text as far as the prompt includes it). */
export type Target = { find: string; scope: Scope; isSelection: boolean }

/** The replacement of a text. With `whole`, only where the text is the whole content of its block. */
export type Replace = {
  kind: 'replace'
  find: string
  replace: string
  scope: Scope
  anyCase: boolean
  whole?: boolean
}

/** A list to be made from the parts of a text. */
export type List = { kind: 'list'; text: string; content: string }

/** A parsed command. */
export type Command =
  | Replace
  | List
  | { kind: 'replace-selection'; find: string; replace: string }
  /** `instead`: the fallback if no formatting tool is offered. */
  | { kind: 'format'; target: Target; format: Format; remove: boolean; instead: Replace | List | undefined }
  | { kind: 'fix-all-typos' }
  | { kind: 'ask-correction'; word: string }
  | { kind: 'insert'; content: string; place: Place; as?: 'block' }
  | { kind: 'delete-section'; section: { title: string } | { index: number } | 'last' }
  | { kind: 'outline' }
  | { kind: 'count-words' }
  | { kind: 'find'; query: string; counting: boolean }
  | { kind: 'read'; from?: number; to?: number }
  | { kind: 'comment'; target: Target | undefined; text: string }
  | { kind: 'list-comments'; resolved?: boolean }
  | { kind: 'resolve-comments'; on: string | undefined; all: boolean }
  | { kind: 'reply'; on: string | undefined; text: string }
  | { kind: 'suggest'; target: Target; replace: string }
  | { kind: 'suggest-insertion'; text: string; anchor: string; placement: 'before' | 'after' }
  | { kind: 'list-changes' }
  | { kind: 'decide'; decision: 'accept' | 'reject' }
  | { kind: 'decide-one'; decision: 'accept' | 'reject' }
  | { kind: 'highlight'; target: Target; color: string | undefined }
  | { kind: 'point'; target: Target; select: boolean }
  | { kind: 'undo' }
  | { kind: 'help' }
  /** "this" without a selection, or "the last paragraph": a target that can't be found as text. */
  | { kind: 'unclear-target'; target: string }
  | { kind: 'unclear-text'; content: string }
  /** More than one replacement, or a scope that isn't understood. */
  | { kind: 'unclear-scope'; find: string; rest: string }
  | { kind: 'unknown'; said: string }

/**
 * A pattern for a sentence, and a function that builds its command; undefined if the sentence has another meaning after
 * all.
 */
export type Rule = [pattern: RegExp, build: (part: (index: number) => string, phrase: Phrase) => Command | undefined]
