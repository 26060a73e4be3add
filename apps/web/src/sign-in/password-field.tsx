import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'
import { type EnglishText, t } from '../i18n/translate.ts'
import { inputClass } from '../ui/fields/field.tsx'
import { Labelled } from '../ui/fields/labelled.tsx'

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'type'> & { label: string; hint?: string }

/** A password field with a button that shows the password. */
export function PasswordField({ label, hint, ...rest }: PasswordFieldProps) {
  const id = useId()
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Labelled id={id} label={label} text={hint}>
      <div className="relative">
        <input
          id={id}
          type={shown ? 'text' : 'password'}
          className={`${inputClass} pr-10`}
          maxLength={128}
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={hint ? `${id}-text` : undefined}
          {...rest}
        />
        <button
          type="button"
          aria-label={t('Show password')}
          aria-pressed={shown}
          className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-md text-ink-soft hover:text-ink"
          onClick={() => setShown(!shown)}
        >
          <Icon size={16} aria-hidden />
        </button>
      </div>
    </Labelled>
  )
}

export const passwordHint: EnglishText = 'At least 10 characters. A few words that don’t belong together are good.'
