import { Icon } from '../common/icons.tsx'
import { useTexts } from '../language/panel-language.tsx'
import type { ChatPlanItem } from '../common/types.ts'

const spoken = { open: 'planOpen', doing: 'planDoing', done: 'planDone' } as const

/** The plan of a long task, as a checklist. */
export function PlanList({ items }: { items: readonly ChatPlanItem[] }) {
  const texts = useTexts()
  return (
    <ul aria-label={texts.plan} className="ap-plan">
      {items.map(({ text, state }, index) => (
        <li key={index} data-state={state}>
          <span aria-hidden="true" className="ap-plan-box">
            {state === 'done' && <Icon name="check" size={12} />}
          </span>
          <span dir="auto">{text}</span>
          <span className="ap-hidden">, {texts[spoken[state]]}</span>
        </li>
      ))}
    </ul>
  )
}
