import { UnfoldVertical } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { type DiffLine, foldLines, inColumns, noEnd, visibleLine } from './line-diff.ts'
import './file-diff.css'

type FileDiffProps = { label: string; lines: readonly DiffLine[]; isWide?: boolean }

const linesAtOnce = 1_000

/** The difference of two texts of a file, with unchanged lines folded: in two columns if it is wide, else in one. */
export function FileDiff({ label, lines, isWide = false }: FileDiffProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const [most, setMost] = useState(linesAtOnce)
  const shown: ReactNode[] = []
  let left = most
  for (const part of foldLines(lines, opened)) {
    if (left <= 0) break
    if (part.kind === 'fold') {
      shown.push(<Fold key={part.from} count={part.count} onOpen={() => setOpened(new Set([...opened, part.from]))} />)
      continue
    }
    const some = part.lines.slice(0, left)
    left -= some.length
    shown.push(isWide ? <Columns key={part.from} lines={some} /> : <Lines key={part.from} lines={some} />)
  }
  return (
    <div className={`file-diff ${isWide ? 'file-diff-wide' : ''}`} role="group" aria-label={label} tabIndex={0}>
      {lines.length === 0 && <p className="p-2 text-ink-soft">{t('The file is empty.')}</p>}
      {shown}
      {left <= 0 && lines.length > most && (
        <button type="button" className="file-fold" onClick={() => setMost(most + linesAtOnce)}>
          {t('Show more lines')}
        </button>
      )}
    </div>
  )
}

function Fold({ count, onOpen }: { count: number; onOpen: () => void }) {
  return (
    <button type="button" className="file-fold" onClick={onOpen}>
      <UnfoldVertical size={13} aria-hidden />
      {t('{count, plural, one {# unchanged line} other {# unchanged lines}}', { count })}
    </button>
  )
}

function Lines({ lines }: { lines: readonly DiffLine[] }) {
  return lines.map((line, index) => (
    <div key={index} className={`file-line file-line-${line.kind}`}>
      <Numbers of={[line.kind === 'new' ? undefined : line.old, line.kind === 'old' ? undefined : line.now]} />
      <LineText line={line} />
    </div>
  ))
}

function Columns({ lines }: { lines: readonly DiffLine[] }) {
  return inColumns(lines).map(({ old, now }, index) => (
    <div key={index} className="file-row">
      <Half line={old} number={old && old.kind !== 'new' ? old.old : undefined} />
      <Half line={now} number={now && now.kind !== 'old' ? now.now : undefined} isRepeated={old === now} />
    </div>
  ))
}

type HalfProps = { line: DiffLine | undefined; number: number | undefined; isRepeated?: boolean }

// A screen reader reads a line that both columns show only once.
function Half({ line, number, isRepeated = false }: HalfProps) {
  return (
    <div className={`file-line file-line-${line?.kind ?? 'none'}`} aria-hidden={isRepeated || undefined}>
      <Numbers of={[number]} />
      {line && <LineText line={line} />}
    </div>
  )
}

function Numbers({ of: numbers }: { of: readonly (number | undefined)[] }) {
  return numbers.map((number, index) => <span key={index} aria-hidden className="file-number" data-number={number} />)
}

const marks = { same: ' ', old: '−', new: '+' } as const

function LineText({ line }: { line: DiffLine }) {
  const isOpenEnded = line.text.endsWith(noEnd)
  const text = visibleLine(isOpenEnded ? line.text.slice(0, -1) : line.text)
  const content = (
    <>
      {text}
      {isOpenEnded && <span className="file-note"> {t('(no line end)')}</span>}
    </>
  )
  return (
    <>
      <span aria-hidden className="file-mark">
        {marks[line.kind]}
      </span>
      {line.kind === 'old' ? <del>{content}</del> : line.kind === 'new' ? <ins>{content}</ins> : <span>{content}</span>}
    </>
  )
}
