import { personColors } from '@copydesk/protocol'
import { t } from '../i18n/translate.ts'
import { Avatar } from '../ui/people/avatar.tsx'

type ColorFieldProps = { name: string; color: string; onColor: (color: (typeof personColors)[number]) => void }

/** The colours that a person can choose, each shown as the avatar under this name. */
export function ColorField({ name, color, onColor }: ColorFieldProps) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t('Colour')}</legend>
      <div className="flex flex-wrap gap-1">
        {personColors.map((each, index) => (
          <label
            key={each}
            className="relative flex size-10 cursor-pointer items-center justify-center rounded-full has-checked:outline-2 has-checked:-outline-offset-2 has-checked:outline-accent has-focus-visible:bg-hover"
          >
            <input
              type="radio"
              name="color"
              aria-label={t('Colour {number, number}', { number: index + 1 })}
              checked={each === color}
              onChange={() => onColor(each)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <Avatar name={name} color={each} kind="person" />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
