import type { TextPair } from '../common/types.ts'
import { type DiffPart, diffWords } from './word-diff.ts'

/**
 * A text before and after a change, the old text struck through and the new one marked. Unchanged text is shortened.
 */
export function TextPairView({ pair }: { pair: TextPair }) {
  const parts = diffWords(pair)
  return (
    <p dir="auto" className={parts.length === 1 ? 'ap-pair ap-pair-whole' : 'ap-pair'}>
      {parts.map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </p>
  )
}

function Part({ part: { kind, text } }: { part: DiffPart }) {
  switch (kind) {
    case 'same':
      return text
    case 'old':
      return <del>{text}</del>
    case 'new':
      return <ins>{text}</ins>
  }
}
