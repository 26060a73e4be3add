import { useState } from 'react'
import { draftsAbout } from '../app/drafts.ts'
import { Link } from '../app/link.tsx'
import { Button } from '../ui/button.tsx'
import { PageNotice } from '../ui/page-notice.tsx'
import { copyText } from './copy-text.ts'

/** Shown instead of a document that is no longer shared with the user. Unsent comments and messages can be copied. */
export function NoLongerShared({ document }: { document: string }) {
  const [unsent] = useState(() => draftsAbout(document).join('\n\n'))
  return (
    <PageNotice
      title="You no longer have access to this document"
      text="Somebody has stopped sharing it with you, or the link that you came by has expired. Ask whoever sent it to you."
    >
      <div className="flex w-full flex-col items-center gap-4">
        {unsent !== '' && <Unsent text={unsent} />}
        <Link to="/" className="text-accent underline underline-offset-2">
          All documents
        </Link>
      </div>
    </PageNotice>
  )
}

function Unsent({ text }: { text: string }) {
  return (
    <div className="flex w-full flex-col gap-2 text-start">
      <label htmlFor="unsent" className="text-sm font-medium">
        What you hadn’t sent
      </label>
      <textarea
        id="unsent"
        readOnly
        dir="auto"
        value={text}
        rows={4}
        className="w-full rounded-md border border-line-strong/70 bg-sunken p-3 text-sm"
      />
      <Button onClick={() => void copyText(text)} className="self-end">
        Copy the text
      </Button>
    </div>
  )
}
