import { Icon } from './icons.tsx'
import type { ChatPlanItem } from './types.ts'

const spoken: Record<ChatPlanItem['state'], string> = { open: 'to do', doing: 'in progress', done: 'done' }

/** The plan of a long task, as a list that ticks off. */
export function PlanList({ items }: { items: readonly ChatPlanItem[] }) {
  return (
    <ul aria-label="Plan" className="ap-plan">
      {items.map(({ text, state }, index) => (
        <li key={index} data-state={state}>
          <span aria-hidden="true" className="ap-plan-box">
            {state === 'done' && <Icon name="check" size={12} />}
          </span>
          <span dir="auto">{text}</span>
          <span className="ap-hidden">, {spoken[state]}</span>
        </li>
      ))}
    </ul>
  )
}
