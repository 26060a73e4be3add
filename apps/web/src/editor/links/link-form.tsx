import { blockLimits } from '@copydesk/schema'
import { type FormEvent, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import type { FormProps } from '../common/editor-ui.ts'
import { readAddress, tooLongAddress } from './links.ts'

/** Sets, changes or removes the link at the selection; without a selection the address itself is inserted as text. */
export function LinkForm({ editor, onDone }: FormProps) {
  const [before] = useState(() => readHref(editor.getAttributes('link').href))
  const [typed, setTyped] = useState(before)
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const href = readAddress(typed)
    if (href !== null && href.length > blockLimits.address) return setProblem(tooLongAddress())
    if (href === null) return setProblem(t('Enter an address such as https://example.org.'))
    const chain = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && before === '') {
      chain.insertContent({ type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs: { href } }] }).run()
    } else {
      chain.setLink({ href }).run()
    }
    onDone()
  }
  const remove = () => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run()
    onDone()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Field
        label={t('Link to')}
        type="url"
        inputMode="url"
        autoFocus
        dir="ltr"
        placeholder="https://"
        value={typed}
        problem={problem}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="mt-3 flex items-center gap-2">
        {before && (
          <Button look="danger" onClick={remove}>
            {t('Remove')}
          </Button>
        )}
        {before && readAddress(before) && (
          <a
            href={before}
            target="_blank"
            rel="noopener noreferrer"
            className="text-sm text-accent underline underline-offset-2"
          >
            {t('Open')}
          </a>
        )}
        <span className="flex-1" />
        <Button look="primary" type="submit">
          {t(before ? 'Change' : 'Add')}
        </Button>
      </div>
    </form>
  )
}

function readHref(href: unknown): string {
  return typeof href === 'string' ? href : ''
}
