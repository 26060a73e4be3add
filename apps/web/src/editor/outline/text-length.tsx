import { useLayoutEffect, useRef } from 'react'
import type { TextCount } from './count-words.ts'
import type { FollowedFigures, TextFigures } from './text-figures.ts'

/**
 * The length of the text, or of the selection. Written without React, since it changes with nearly every word that any
 * user types.
 */
export function TextLength({ figures }: { figures: FollowedFigures }) {
  const words = useRef<HTMLSpanElement>(null)
  const characters = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const write = () => {
      const lines = inWords(figures.get())
      put(words.current, lines.words)
      put(characters.current, lines.characters)
    }
    write()
    return figures.subscribe(write)
  }, [figures])
  return (
    <p className="tabular-nums">
      <span ref={words} />
      <span ref={characters} className="hidden sm:inline" />
    </p>
  )
}

function put(place: HTMLElement | null, text: string): void {
  if (place && place.textContent !== text) place.textContent = text
}

function inWords({ whole, selected }: TextFigures) {
  const count: TextCount = selected ?? whole
  const characters = plural(count.characters, 'character')
  // A comma alone is no word.
  if (selected?.words === 0) return { words: `${characters} selected`, characters: '' }
  return {
    words: `${plural(count.words, 'word')}${selected ? ' selected' : ''}`,
    characters: ` · ${characters}`,
  }
}

function plural(count: number, name: string): string {
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`
}
