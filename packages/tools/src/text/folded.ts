import type { Node } from 'prosemirror-model'
import { normalize, type NormalizedText } from './normalize.ts'

const normalized = new WeakMap<Node, { original: string; made: NormalizedText }>()
const lowered = new WeakMap<Node, { original: string; made: string }>()

/** `normalize(text)`, cached by `owner`, the node that contains the text, for the node's lifetime. */
export function normalizedTextOf(text: string, owner?: Node): NormalizedText {
  if (!owner) return normalize(text)
  const known = normalized.get(owner)
  if (known?.original === text) return known.made
  const made = normalize(text)
  normalized.set(owner, { original: text, made })
  return made
}

/** The normalised text in lower case, with the same length as the normalised text; also cached by `owner`. */
export function foldedTextOf(text: string, owner?: Node): string {
  const known = owner && lowered.get(owner)
  if (known?.original === text) return known.made
  const made = lowerCase(normalizedTextOf(text, owner).text)
  if (owner) lowered.set(owner, { original: text, made })
  return made
}

/**
 * `text` in lower case unit by unit, with the same length as `text`; maps both small sigmas to one, and both small
 * letters s.
 */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  const even = lower.length === text.length ? lower : [...text].map(lowerSameLength).join('')
  return even.replaceAll('ς', 'σ').replaceAll('ſ', 's')
}

function lowerSameLength(character: string): string {
  const lower = character.toLowerCase()
  return lower.length === character.length ? lower : character
}
