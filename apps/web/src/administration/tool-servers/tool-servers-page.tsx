import type { OwnToolPolicy, ToolPolicy, ToolServer } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { ListState, PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { describeError } from '../../api/client.ts'
import { fetchToolServers, putToolPolicy } from '../../api/operators/tool-servers.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts'
import { showError } from '../../ui/toasts/toasts.tsx'
import { toolServersKey } from './tool-list.tsx'
import { ToolPolicySelect } from './tool-policy-select.tsx'
import { ToolServerForm } from './tool-server-form.tsx'
import { ToolServerRow } from './tool-server-row.tsx'

/** For operators: the servers whose tools agents may use, and what may go out without asking. */
export function ToolServersPage() {
  const queryClient = useQueryClient()
  const opener = useRef<HTMLButtonElement>(null)
  const [isMaking, setMaking] = useState(false)
  const { data, error } = useQuery({
    queryKey: toolServersKey,
    queryFn: ({ signal }) => fetchToolServers(signal),
    refetchInterval: ({ state: { data: last } }) =>
      last?.servers.some(({ state }) => state === 'connecting') === true ? 1_000 : 10_000,
  })
  const close = () => setMaking(false)
  useFocusAfter(isMaking, opener)
  return (
    <PageFrame title={t('Tool servers')}>
      <Section
        title={t('Servers with tools for agents')}
        text={t(
          'Agents may use the tools of these servers (MCP) for members who may edit. What is sent there leaves this server.',
        )}
      >
        <div className="flex flex-col gap-4">
          {data ? (
            <List servers={data.servers} opener={opener} />
          ) : (
            <ListState error={error ? describeError(error) : undefined} />
          )}
          {isMaking ? (
            <ToolServerForm
              onCancel={close}
              onSaved={() => {
                close()
                void queryClient.invalidateQueries({ queryKey: toolServersKey })
              }}
            />
          ) : (
            <Button ref={opener} className="self-start" onClick={() => setMaking(true)}>
              {t('New tool server')}
            </Button>
          )}
          <p className="text-sm text-ink-faint">
            {t('Servers that are started as a program are set up in the configuration, with TOOL_SERVERS.')}
          </p>
        </div>
      </Section>
      <Section
        title={t('This server’s own tools')}
        text={t('Tools that send words or addresses to services on the web.')}
      >
        <ul aria-label={t('This server’s own tools')} className="divide-y divide-line">
          {data?.own.map((each) => (
            <OwnTool key={each.tool} {...each} />
          ))}
        </ul>
      </Section>
    </PageFrame>
  )
}

function List({ servers, opener }: { servers: ToolServer[]; opener: RefObject<HTMLElement | null> }) {
  if (servers.length === 0) return <p className="text-sm text-ink-faint">{t('There are no tool servers.')}</p>
  return (
    <ul aria-label={t('Tool servers')} className="-my-2 divide-y divide-line">
      {servers.map((server) => (
        <ToolServerRow key={server.name} server={server} opener={opener} />
      ))}
    </ul>
  )
}

function OwnTool({ tool, policy }: OwnToolPolicy) {
  const queryClient = useQueryClient()
  const putting = useMutation({
    mutationFn: (chosen: ToolPolicy) => putToolPolicy(tool, chosen),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: toolServersKey }),
    onError: showError,
  })
  return (
    <li className="flex items-center gap-3 py-2">
      <code className="min-w-0 flex-1 text-sm break-all">{tool}</code>
      <ToolPolicySelect tool={tool} value={policy} onChange={(chosen) => putting.mutate(chosen)} />
    </li>
  )
}
