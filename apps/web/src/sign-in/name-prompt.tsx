import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { describeError, invalidInput, loadShapes } from '../api/client.ts'
import { meKey } from '../api/query-client.ts'
import { createSession, fetchMe } from '../api/session.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { EnterCard } from './enter-card.tsx'

type NamePromptProps = { title?: string; text?: string }

/** Asks for the user's display name, and opens a session with it. */
export function NamePrompt({
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
