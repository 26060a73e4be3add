import { blockLimits } from '@copydesk/schema'
import { NodeSelection } from 'prosemirror-state'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/fields/field.tsx'
import type { FormProps } from '../common/editor-ui.ts'
import { renderMath } from './katex.ts'

type MathFormProps = FormProps & { kind: 'inlineMath' | 'blockMath' }

/** Inserts a formula or changes the selected one, with a live preview. */
export function MathForm({ editor, onDone, kind }: MathFormProps) {
  const [before] = useState(() => {
    const { selection } = editor.state
    return selection instanceof NodeSelection && selection.node.type.name === kind
      ? String(selection.node.attrs.latex)
      : undefined
  })
  const [latex, setLatex] = useState(before ?? '')
  const source = latex.trim()
  const isTooLong = source.length > blockLimits.latex
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (source === '' || isTooLong) return
    if (before === undefined)
      editor
        .chain()
        .focus()
        .insertContent({ type: kind, attrs: { latex: source } })
        .run()
    else editor.chain().focus().updateAttributes(kind, { latex: source }).run()
    onDone()
  }
  const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <TextArea
        label={t('Formula in LaTeX')}
        autoFocus
        rows={2}
        dir="ltr"
        spellCheck={false}
        placeholder="\frac{a}{b}"
        value={latex}
        problem={isTooLong ? tooLong(source.length) : undefined}
        onChange={(event) => setLatex(event.target.value)}
        onKeyDown={submitOnEnter}
        className="resize-y font-mono"
      />
      <Preview latex={latex} block={kind === 'blockMath'} />
      <div className="flex justify-end">
        <Button look="primary" type="submit" disabled={source === '' || isTooLong}>
          {t(before === undefined ? 'Insert' : 'Change')}
        </Button>
      </div>
    </form>
  )
}

function tooLong(count: number): string {
  return t('A formula has at most {most, number} characters. This one has {count, number}.', {
    most: blockLimits.latex,
    count,
  })
}

function Preview({ latex, block }: { latex: string; block: boolean }) {
  const target = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = target.current
    let current = true
    const show = async (target: HTMLElement) => {
      const reason = await renderMath(target, latex, block, () => current)
      if (reason !== null && current) target.textContent = t('Can’t be shown: {reason}.', { reason })
    }
    if (element && latex.trim() !== '') show(element).catch(() => undefined)
    else element?.replaceChildren()
    return () => {
      current = false
    }
  }, [latex, block])
  return <div ref={target} aria-hidden className="min-h-10 overflow-x-auto rounded-md bg-sunken px-3 py-2" />
}
