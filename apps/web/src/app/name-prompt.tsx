import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, describeError, loadShapes } from '../api/client.ts'
import { createSession, fetchMe } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { meKey } from './query-client.ts'

type NamePromptProps = { title?: string; text?: string }

/** Asks for the user's display name, and opens a session with it. */
export function NamePrompt({
  title = 'Welcome to Copydesk',
  text = 'Write together with people and an agent. Others see you by this name.',
}: NamePromptProps) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const queryClient = useQueryClient()
  const enter = useMutation({
    mutationFn: async (given: string) => {
      const { CreateSession } = await loadShapes()
      const parsed = CreateSession.safeParse({ name: given })
      if (!parsed.success) throw new ApiError('invalid_input', parsed.error.issues[0]?.message ?? 'Give another name.')
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
    <main className="flex min-h-full items-center justify-center p-6">
      <form
        onSubmit={submit}
        noValidate
        className="w-full max-w-sm rounded-xl border border-line bg-surface p-7 shadow-raised"
      >
        <img src="/icon.svg" alt="" width={36} height={36} className="mb-4" />
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="mt-1 mb-5 text-ink-soft">{text}</p>
        <Field
          label="Your name"
          autoComplete="name"
          autoFocus
          maxLength={80}
          value={name}
          problem={problem}
          onChange={(event) => setName(event.target.value)}
        />
        <Button look="primary" type="submit" className="mt-4 w-full" disabled={enter.isPending}>
          Continue
        </Button>
      </form>
    </main>
  )
}
