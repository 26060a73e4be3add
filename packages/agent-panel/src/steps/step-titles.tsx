import type { ChatStep } from '../common/types.ts'

export function StepTitles({ steps }: { steps: readonly ChatStep[] }) {
  return (
    <ul className="ap-steps">
      {steps.map(({ id, title }) => (
        <li key={id} dir="auto" className="ap-step">
          {title}
        </li>
      ))}
    </ul>
  )
}
