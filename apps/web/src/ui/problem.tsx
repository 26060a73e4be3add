import { describeError } from '../api/client.ts'

type ProblemProps = { error: Error | null | undefined; className?: string }

/** The message of an error; renders nothing without one. */
export function Problem({ error, className = '' }: ProblemProps) {
  if (!error) return null
  return (
    <p role="alert" className={`text-sm text-danger ${className}`}>
      {describeError(error)}
    </p>
  )
}
