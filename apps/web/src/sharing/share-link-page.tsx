import { type AuthOptions, FollowLink, type LinkRole } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { describeError } from '../api/client.ts'
import { fetchLink, followLink } from '../api/sharing.ts'
import { documentPath, navigate } from '../common/location.tsx'
import { type EnglishText, t } from '../i18n/translate.ts'
import { EnterCard, OrLine } from '../sign-in/enter-card.tsx'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { useEntering } from '../sign-in/use-entering.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Form } from '../ui/fields/form.tsx'
import { HomeLink, PageNotice } from '../ui/page-notice.tsx'

const may: Readonly<Record<LinkRole, EnglishText>> = {
  viewer: 'You can read it. Others see you by the name that you enter.',
  commenter: 'You can read it, comment and suggest changes. Others see you by the name that you enter.',
  editor: 'You can read and edit it. Others see you by the name that you enter.',
}

/** Redirects a caller with a session to the shared document or folder. */
export function FollowedLinkPage({ token }: { token: string }) {
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let isOver = false
    followLink(token).then(
      ({ document }) => void (isOver || navigate(documentPath(document), { replace: true })),
      (error: unknown) => void (isOver || setProblem(describeError(error))),
    )
    return () => void (isOver = true)
  }, [token])
  return problem === undefined ? null : <DeadLink text={problem} />
}

/** The page of a share link for callers without a session: they join as a guest under a name, or sign in. */
export function ShareLinkPage({ token, options }: { token: string; options: AuthOptions }) {
  const [signsIn, setSignsIn] = useState(false)
  const { data: link, error } = useQuery({
    queryKey: ['link', token],
    queryFn: ({ signal }) => fetchLink(token, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (signsIn) return <SignInPage options={options} />
  if (error) return <DeadLink text={describeError(error)} />
  if (!link) return null
  return (
    <EnterCard
      title={t('“{title}” was shared with you', { title: link.title || t('Untitled') })}
      text={t(may[link.role])}
    >
      <GuestForm token={token} />
      <OrLine />
      <Button className="w-full" onClick={() => setSignsIn(true)}>
        {t('Sign in with an account')}
      </Button>
    </EnterCard>
  )
}

function GuestForm({ token }: { token: string }) {
  const [name, setName] = useState('')
  const entering = useEntering(FollowLink, { name }, ({ name: given }) => followLink(token, given ?? ''))
  return (
    <Form frame="card" save={t('Continue as a guest')} saving={entering}>
      <Field
        label={t('Your name')}
        autoComplete="name"
        autoFocus
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </Form>
  )
}

function DeadLink({ text }: { text: string }) {
  return (
    <PageNotice title={t('This link can’t be opened')} text={text}>
      <HomeLink />
    </PageNotice>
  )
}
