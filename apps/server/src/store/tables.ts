import type { Selectable } from 'kysely'
import type { AgentTables } from './tables/agent-tables.ts'
import type { DocumentTables } from './tables/document-tables.ts'
import type { PeopleTables } from './tables/people-tables.ts'
import type { ReviewTables } from './tables/review-tables.ts'
import type { RunTables } from './tables/run-tables.ts'
import type { IntegrationTables } from './tables/integration-tables.ts'

/** Times are milliseconds since 1970, ids are text, JSON is text. */
export type Tables = AgentTables & DocumentTables & PeopleTables & ReviewTables & RunTables & IntegrationTables

export type DocumentRow = Selectable<Tables['documents']>
export type FolderRow = Selectable<Tables['folders']>
export type RunRow = Selectable<Tables['runs']>
export type StepRow = Selectable<Tables['run_steps']>
export type FileProposalRow = Selectable<Tables['file_proposals']>
export type MessageRow = Selectable<Tables['messages']>
export type ThreadRow = Selectable<Tables['threads']>
export type CommentRow = Selectable<Tables['comments']>
export type NotificationRow = Selectable<Tables['notifications']>
export type ChangeRow = Selectable<Tables['changes']>
export type ContributorRow = Selectable<Tables['change_contributors']>
export type AuthLinkRow = Selectable<Tables['auth_links']>
export type VersionRow = Selectable<Tables['versions']>
export type AuditRow = Selectable<Tables['audit']>
export type WebhookRow = Selectable<Tables['webhooks']>
export type DeliveryRow = Selectable<Tables['webhook_deliveries']>
export type ToolServerRow = Selectable<Tables['tool_servers']>
export type ForeignToolRow = Selectable<Tables['foreign_tools']>
export type AgentRow = Selectable<Tables['agents']>
export type AgentTriggerRow = Selectable<Tables['agent_triggers']>
export type ModelProviderRow = Selectable<Tables['model_providers']>
export type ProviderModelRow = Selectable<Tables['provider_models']>
