import type { ForeignTool, ForeignToolProblem, PatchForeignTool, ToolServer } from '@copydesk/protocol'
import { patchForeignTool, toolServersQuery } from '../../api/operators/tool-servers.ts'
import { formatList } from '../../i18n/format.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ToolPolicySelect } from './tool-policy-select.tsx'

const problems: Readonly<Record<ForeignToolProblem, EnglishText>> = {
  schema: 'Not offered: what it takes can’t be described to all models.',
  recursive: 'Not offered: what it takes contains itself.',
  too_large: 'Not offered: the description of what it takes is too long.',
  name_taken: 'Not offered: another tool of this server has the same name.',
}

/** The tools of a tool server, each with its policy. All texts of the server are shown unchanged. */
export function ToolList({ server }: { server: ToolServer }) {
  const { tools, leftOut } = server
  if (tools.length === 0) return <p className="text-sm text-ink-faint">{t('No tools are known.')}</p>
  return (
    <>
      <ul aria-label={t('Tools of {name}', { name: server.name })} className="divide-y divide-line">
        {tools.map((tool) => (
          <Tool key={tool.name} server={server.name} tool={tool} />
        ))}
      </ul>
      {leftOut > 0 && (
        <p className="text-sm text-ink-faint">
          {t('{count, plural, one {# more tool is} other {# more tools are}} left out.', { count: leftOut })}
        </p>
      )}
    </>
  )
}

function Tool({ server, tool }: { server: string; tool: ForeignTool }) {
  const { name, offeredAs, description, parameters, policy, changed } = tool
  const patching = useAction((body: PatchForeignTool) => patchForeignTool(server, name, body), {
    changes: toolServersQuery.queryKey,
  })
  const problem = problemOf(tool)
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 py-3 sm:flex-nowrap">
      <div className="min-w-0 flex-1">
        <p dir="ltr" className="font-mono text-sm break-all">
          {offeredAs}
        </p>
        <About description={description} parameters={parameters} />
        {problem !== undefined && <p className="text-sm text-danger">{problem}</p>}
        {changed && (
          <div className="mt-2 flex flex-col items-start gap-2 rounded-lg bg-sunken p-3">
            <p className="text-sm font-medium">
              {t('The server has changed this tool. It is off until you accept it:')}
            </p>
            <About description={changed.description} parameters={changed.parameters} />
            <Button disabled={patching.isPending} onClick={() => patching.mutate({ accept: changed.revision })}>
              {t('Accept the change')}
            </Button>
          </div>
        )}
      </div>
      <ToolPolicySelect tool={offeredAs} value={policy} onChange={(chosen) => patching.mutate({ policy: chosen })} />
    </li>
  )
}

function About({ description, parameters }: Pick<ForeignTool, 'description' | 'parameters'>) {
  return (
    <>
      <p dir="auto" className="text-sm break-words whitespace-pre-line text-ink-soft">
        {description === '' ? t('It says nothing about itself.') : description}
      </p>
      {parameters.length > 0 && (
        <p className="text-sm break-words text-ink-faint">{t('Takes: {list}', { list: formatList(parameters) })}</p>
      )}
    </>
  )
}

function problemOf({ problem, gone }: ForeignTool): string | undefined {
  if (gone) return t('The server no longer has it.')
  return problem === null ? undefined : t(problems[problem])
}
