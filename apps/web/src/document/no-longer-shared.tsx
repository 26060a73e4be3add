import { useState } from 'react'
import { drafts } from '../common/drafts.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { HomeLink, PageNotice } from '../ui/page-notice.tsx'
import { copyShownText } from '../ui/toasts/copying.ts'

/** Shown instead of a document that is no longer shared with the user. Unsent comments and messages can be copied. */
export function NoLongerShared({ document }: { document: string }) {
  const [unsent] = useState(() => drafts.about(document).join('\n\n'))
  return (
    <PageNotice
      title={t('You no longer have access to this document')}
      text={t(
        'It is no longer shared with you, or the link that you used has expired. Ask the person who sent it to you.',
      )}
    >
      <div className="flex w-full flex-col items-center gap-4">
        {unsent !== '' && <UnsentChanges text={unsent} />}
        <HomeLink />
      </div>
    </PageNotice>
  )
}

function UnsentChanges({ text }: { text: string }) {
  return (
    <div className="flex w-full flex-col gap-2 text-start">
      <label htmlFor="unsent" className="text-sm font-medium">
        {t('Unsent changes')}
      </label>
      <textarea
        id="unsent"
        readOnly
        dir="auto"
        value={text}
        rows={4}
        className="w-full rounded-md border border-line-strong/70 bg-sunken p-3 text-sm"
      />
      <Button onClick={() => void copyShownText(text)} className="self-end">
        {t('Copy the text')}
      </Button>
    </div>
  )
}
