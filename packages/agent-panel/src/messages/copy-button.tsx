import { type RefObject, useEffect, useState } from 'react'
import { Icon, type IconName } from '../common/icons.tsx'
import { useTexts } from '../language/panel-language.tsx'
import type { PanelTexts } from '../language/texts.ts'

type CopyButtonProps = {
  /** The text as Markdown. */
  text: string
  /** The element that shows the text: it is copied as HTML, so that pasted text keeps its formats. */
  shown: RefObject<HTMLElement | null>
}

type CopyState = 'idle' | 'copied' | 'failed'

const shownForMs = 2000

/** Copies an answer, and shows a confirmation for a moment. */
export function CopyButton({ text, shown }: CopyButtonProps) {
  const texts = useTexts()
  const [state, setState] = useState<CopyState>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), shownForMs)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    setState((await copyBoth(text, htmlOf(shown.current))) ? 'copied' : 'failed')
  }
  const { text: name, icon } = looks[state]
  const label = texts[name]
  return (
    <button
      type="button"
      className="ap-quiet ap-copy"
      data-action="copy"
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    >
      <Icon name={icon} size={13} />
    </button>
  )
}

const looks = {
  idle: { text: 'copyAnswer', icon: 'copy' },
  copied: { text: 'copied', icon: 'check' },
  failed: { text: 'notCopied', icon: 'alert' },
} as const satisfies Record<CopyState, { text: keyof PanelTexts; icon: IconName }>

/** The answer as HTML, without the text between its steps. */
function htmlOf(element: HTMLElement | null): string {
  return [...(element?.querySelectorAll('.ap-answer') ?? [])]
    .filter((each) => !each.closest('.ap-work'))
    .map(({ innerHTML }) => innerHTML)
    .join('')
}

async function copyBoth(text: string, html: string): Promise<boolean> {
  const types = { 'text/plain': text, 'text/html': html }
  try {
    const blobs = Object.entries(types).map(([type, content]) => [type, new Blob([content], { type })] as const)
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
    return true
  } catch {
    return copyByEvent(types)
  }
}

/** The older API, for pages that weren't loaded by HTTPS. */
function copyByEvent(types: Readonly<Record<string, string>>): boolean {
  const onCopy = (event: ClipboardEvent) => {
    for (const [type, content] of Object.entries(types)) event.clipboardData?.setData(type, content)
    event.preventDefault()
  }
  document.addEventListener('copy', onCopy)
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', onCopy)
  return isCopied
}
