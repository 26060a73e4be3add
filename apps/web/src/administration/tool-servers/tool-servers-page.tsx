import type { OwnToolPolicy, ToolPolicy } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { putToolPolicy, toolServersQuery } from '../../api/operators/tool-servers.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useOpening } from '../../ui/focus/use-opening.ts'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ToolPolicySelect } from './tool-policy-select.tsx'
import { ToolServerForm } from './tool-server-form.tsx'
import { ToolServerRow } from './tool-server-row.tsx'

/** For operators: the servers whose tools agents may use, and the tools that send data out without approval. */
export function ToolServersPage() {
  const list = useQuery(toolServersQuery)
  const [opener, making] = useOpening()
  return (
    <PageFrame title={t('Tool servers')}>
      <Section
        title={t('Servers with tools for agents')}
        text={t(
          'Agents may use the tools of these servers (MCP) for members who may edit. What is sent there leaves this server.',
        )}
        tool={
          !making.isOpen && (
            <Button ref={opener} look="primary" onClick={making.open}>
              {t('New tool server')}
            </Button>
          )
        }
      >
        <div className="flex flex-col gap-4">
          {making.isOpen && <ToolServerForm onClose={making.close} />}
          <Loaded query={list}>
            {({ servers }) => (
              <Rows
                label={t('Tool servers')}
                rows={servers}
                empty={making.isOpen ? undefined : t('There are no tool servers yet.')}
                className="-my-4"
              >
                {(server) => <ToolServerRow key={server.name} server={server} rest={opener} />}
              </Rows>
            )}
          </Loaded>
          <p className="text-sm text-ink-faint">
            {t('Servers that are started as a program are set up in the configuration, with TOOL_SERVERS.')}
          </p>
        </div>
      </Section>
      <Section
        title={t('This server’s own tools')}
        text={t('Tools that send words or addresses to services on the web.')}
      >
        <Loaded query={list}>
          {({ own }) => (
            <Rows label={t('This server’s own tools')} rows={own}>
              {(each) => <OwnTool key={each.tool} {...each} />}
            </Rows>
          )}
        </Loaded>
      </Section>
    </PageFrame>
  )
}

function OwnTool({ tool, policy }: OwnToolPolicy) {
  const putting = useAction((chosen: ToolPolicy) => putToolPolicy(tool, chosen), { changes: toolServersQuery.queryKey })
  return (
    <li className="flex items-center gap-3 py-2">
      <code className="min-w-0 flex-1 text-sm break-all">{tool}</code>
      <ToolPolicySelect tool={tool} value={policy} onChange={(chosen) => putting.mutate(chosen)} />
    </li>
  )
}
