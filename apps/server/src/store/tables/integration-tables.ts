import type {
  ForeignToolProblem,
  ToolPolicy,
  ToolServerTrouble,
  DeliveryError,
  WebhookDelivery,
  WebhookStop,
} from '@copydesk/protocol'
import type { Generated } from 'kysely'

/** Tables of tool servers and webhooks. Times, ids and JSON as in `Tables`. */
export type IntegrationTables = {
  /**
   * A server whose tools agents may use. Those of kind `stdio` are defined in the configuration, with their commands;
   * the row has their state. `token` is sealed and sent in `header`. `version` increases when the server has to be
   * connected again.
   */
  tool_servers: {
    name: string
    kind: 'http' | 'stdio'
    url: string | null
    header: string | null
    token: string | null
    enabled: Generated<number>
    /** The number of failed attempts since the last success, and the time of the last of them. */
    failures: Generated<number>
    failed_at: Generated<number | null>
    down_since: Generated<number | null>
    down_reason: Generated<ToolServerTrouble | null>
    down_detail: Generated<string | null>
    reached_at: Generated<number | null>
    /** The number of tools that are not stored, because the server has too many. */
    left_out: Generated<number>
    version: Generated<number>
    created_by: string | null
    created_at: number
  }
  /**
   * The tools of tool servers as operators have last seen them; models are shown these definitions. `changed` is the
   * JSON of a later definition by the server: until an operator accepts it, the tool isn't offered. `gone`: the server
   * no longer lists the tool.
   */
  foreign_tools: {
    server: string
    name: string
    offered_as: string
    description: string
    schema: string
    problem: ForeignToolProblem | null
    policy: ToolPolicy
    changed: Generated<string | null>
    gone: Generated<number>
  }
  /** Policies of the server's own tools that send data out, if they differ from `allow`. */
  tool_policies: { tool: string; policy: ToolPolicy }
  /**
   * `events` is JSON, a list of `WebhookEvent`. The secret is derived from the id and `secret_version`. No events are
   * stored while `active` is 0.
   */
  webhooks: {
    id: string
    url: string
    events: string
    description: string
    active: number
    stopped: Generated<WebhookStop | null>
    secret_version: Generated<number>
    /** The creation time of the secret. */
    secret_at: number
    failing_since: Generated<number | null>
    dropped: Generated<number>
    created_by: string
    created_at: number
  }
  /**
   * One row for each event and webhook, in the order of the events. Triggers on the tables of runs, threads, messages,
   * versions and logs insert them, in the transactions of these changes. `data` is the JSON that is sent.
   */
  webhook_deliveries: {
    seq: Generated<number>
    id: string
    webhook: string
    event: WebhookDelivery['event']
    document: string | null
    data: string
    state: WebhookDelivery['state']
    attempts: Generated<number>
    created_at: number
    due_at: number
    attempted_at: Generated<number | null>
    status: Generated<number | null>
    duration_ms: Generated<number | null>
    error: Generated<DeliveryError | null>
  }
}
