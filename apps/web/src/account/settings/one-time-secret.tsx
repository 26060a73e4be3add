import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { inputClass } from '../../ui/fields/field.tsx'

type OneTimeSecretProps = { label: string; value: string; text: string; onDone: () => void; children?: ReactNode }

/** A link or key that is shown only once, to be copied. It gets the focus. `children` describe its use. */
export function OneTimeSecret({ label, value, text, onDone, children }: OneTimeSecretProps) {
  const field = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [value])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      field.current?.select()
      showToast(t('The browser didn’t allow copying. Copy the selected text yourself.'))
    }
  }
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-accent/40 bg-accent-soft p-4">
      <p className="text-sm">{text}</p>
      <div className="flex flex-wrap gap-2">
        <input
          ref={field}
          readOnly
          aria-label={label}
          value={value}
          dir="ltr"
          className={`${inputClass} min-w-48 flex-1 font-mono text-xs`}
          onFocus={(event) => event.target.select()}
        />
        <Button look="primary" onClick={() => void copy()}>
          {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
          {t(copied ? 'Copied' : 'Copy')}
        </Button>
        <Button onClick={onDone}>{t('Done')}</Button>
      </div>
      {children}
    </div>
  )
}
