import { ToolPolicy } from '@copydesk/protocol'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Select } from '../../ui/fields/select.tsx'

const names: Readonly<Record<ToolPolicy, { name: EnglishText; detail: EnglishText }>> = {
  allow: { name: 'Allow', detail: 'Asks only after the agent has read text from outside' },
  confirm: { name: 'Ask each time', detail: 'A person approves each call' },
  deny: { name: 'Off', detail: 'Agents are not offered it' },
}

type ToolPolicySelectProps = { tool: string; value: ToolPolicy; onChange: (policy: ToolPolicy) => void }

export function ToolPolicySelect({ tool, value, onChange }: ToolPolicySelectProps) {
  const options = ToolPolicy.options.map((policy) => {
    const { name, detail } = names[policy]
    return { value: policy, name: t(name), detail: t(detail) }
  })
  return (
    <Select
      label={t('Policy of {name}', { name: tool })}
      value={value}
      options={options}
      onChange={onChange}
      className="-me-2.5"
    />
  )
}
