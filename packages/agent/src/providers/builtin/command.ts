import type { Phrase, Scope } from './phrases.ts'

/** A format of text or of whole blocks, in the terms of `apply_formatting`; `name` is what people call it. */
export type Format = { type: string; name: string; level?: number; href?: string }

/** Where new text goes: an end of the document, beside a text, or at the person's caret. */
export type Place =
  | { kind: 'absolute'; location: 'start' | 'end' }
  | { kind: 'relative'; anchor: string; placement: 'before' | 'after'; which: { occurrence?: 'first' | 'last' } }
  | { kind: 'selection' }

/** A text that is to be found, or what the person has selected (`find` is then its text as far as the prompt tells it). */
export type Target = { find: string; scope: Scope; isSelection: boolean }

/** The replacement of a text. `whole`: only where the text is all that its block holds. */
export type Replace = {
  kind: 'replace'
  find: string
  replace: string
  scope: Scope
  anyCase: boolean
  whole?: boolean
}

/** A list to be made of the parts of a text. */
export type List = { kind: 'list'; text: string; content: string }

/** A plain command as it was understood. */
export type Command =
  | Replace
  | List
  | { kind: 'replace-selection'; find: string; replace: string }
  /** `instead`: how to do it where no tool for formats is offered. */
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
  /** "this" without a selection, or "the last paragraph": nothing that could be found as text. */
  | { kind: 'unclear-target'; target: string }
  | { kind: 'unclear-text'; content: string }
  /** More than one replacement, or a place that isn't understood. */
  | { kind: 'unclear-scope'; find: string; rest: string }
  | { kind: 'unknown'; said: string }

/** How a sentence is recognised, and what it then means; nothing if it is something else after all. */
export type Rule = [pattern: RegExp, build: (part: (index: number) => string, phrase: Phrase) => Command | undefined]
