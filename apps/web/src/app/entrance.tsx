import type { Me } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { separatePart } from '../common/lazy-part.ts'
import { describeError, invalidInput, loadShapes } from '../api/client.ts'
import { meKey } from '../api/query-client.ts'
import { createSession, fetchAuthOptions, fetchMe } from '../api/caller/session.ts'
import { readRoute, usePath } from '../common/location.tsx'
import { t } from '../i18n/translate.ts'
import { EnterCard } from '../sign-in/enter-card.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Unreachable } from './unreachable.tsx'

const SignInPage = separatePart(async () => (await import('../sign-in/sign-in-page.tsx')).SignInPage)
const LinkPage = separatePart(async () => (await import('../sign-in/link-page.tsx')).LinkPage)
const ShareLinkPage = separatePart(async () => (await import('../sharing/share-link-page.tsx')).ShareLinkPage)

/** The server's sign-in options. */
export function useAuthOptions() {
  return useQuery({
    queryKey: ['auth'],
    queryFn: ({ signal }) => fetchAuthOptions(signal),
    staleTime: 60_000,
  })
}

/**
 * The page for callers without a session: a name prompt, the sign-in form, or the page of the link that they followed.
 */
export function Entrance() {
  const { data: options, error, refetch } = useAuthOptions()
  const route = readRoute(usePath())
  if (error && !options) return <Unreachable error={error} onRetry={() => void refetch()} />
  if (!options) return null
  if (options.auth === 'open') return <NamePrompt />
  if (route.page === 'share') return <ShareLinkPage token={route.token} options={options} />
  return route.page === 'link' ? <LinkPage options={options} me={null} /> : <SignInPage options={options} />
}

/** The same content as an overlay, when the session has ended on an open page. */
export function EntranceOverlay({ me }: { me: Me }) {
  const { data: options } = useAuthOptions()
  const title = t('Your session has ended')
  const isOpen = me.auth === 'open'
  return (
    <div role="dialog" aria-modal aria-label={title} className="fixed inset-0 z-50 overflow-y-auto bg-black/40">
      {isOpen && <NamePrompt title={title} text={t('Enter your name to continue. What you wrote is still here.')} />}
      {!isOpen && options && <SignInPage options={options} ended={{ email: me.email ?? '', name: me.user.name }} />}
    </div>
  )
}

type NamePromptProps = { title?: string; text?: string }

/** Asks for the user's display name, and opens a session with it. */
function NamePrompt({
  title = t('Welcome to Copydesk'),
  text = t('Write together with people and an agent. Others see you by this name.'),
}: NamePromptProps) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const queryClient = useQueryClient()
  const enter = useMutation({
    mutationFn: async (given: string) => {
      const { CreateSession } = await loadShapes()
      const parsed = CreateSession.safeParse({ name: given })
      if (!parsed.success) throw invalidInput(parsed.error)
      await createSession(parsed.data.name)
      return fetchMe()
    },
    onSuccess: (me) => {
      queryClient.setQueryData(meKey, me)
      return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] })
    },
    onError: (error) => setProblem(describeError(error)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setProblem(undefined)
    enter.mutate(name)
  }
  return (
    <EnterCard title={title} text={text}>
      <form onSubmit={submit} noValidate>
        <Field
          label={t('Your name')}
          autoComplete="name"
          autoFocus
          maxLength={80}
          value={name}
          problem={problem}
          onChange={(event) => setName(event.target.value)}
        />
        <Button look="primary" type="submit" className="mt-4 w-full" disabled={enter.isPending}>
          {t('Continue')}
        </Button>
      </form>
    </EnterCard>
  )
}
