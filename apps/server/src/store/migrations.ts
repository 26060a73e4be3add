import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { initial } from './migrations/0001-initial.ts'
import { review } from './migrations/0002-review.ts'
import { undo } from './migrations/0003-undo.ts'
import { approvals } from './migrations/0004-approvals.ts'
import { cutRows } from './migrations/0005-cut-rows.ts'
import { changeSeq } from './migrations/0006-change-seq.ts'
import { idleClaims } from './migrations/0007-idle-claims.ts'
import { notifications } from './migrations/0008-notifications.ts'
import { stepDetails } from './migrations/0009-step-details.ts'
import { accounts } from './migrations/0010-accounts.ts'
import { rights } from './migrations/0011-rights.ts'
import { versions } from './migrations/0012-versions.ts'
import { audit } from './migrations/0013-audit.ts'
import { documentClients } from './migrations/0014-document-clients.ts'
import { changeHands } from './migrations/0015-change-hands.ts'
import { editorsShare } from './migrations/0016-editors-share.ts'
import { quotas } from './migrations/0017-quotas.ts'
import { imageMentions } from './migrations/0018-image-mentions.ts'
import { runCredentials } from './migrations/0019-run-credentials.ts'
import { unstartedMentions } from './migrations/0020-unstarted-mentions.ts'
import { snapshotSteps } from './migrations/0025-snapshot-steps.ts'
import { changeContributors } from './migrations/0026-change-contributors.ts'
import { proposedWording } from './migrations/0027-proposed-wording.ts'
import { runDecisions } from './migrations/0028-run-decisions.ts'
import { commentEdits } from './migrations/0029-comment-edits.ts'
import { firstWords } from './migrations/0030-first-words.ts'
import { mails } from './migrations/0031-mails.ts'
import { folders } from './migrations/0032-folders.ts'
import { documentLists } from './migrations/0033-document-lists.ts'
import { conversations } from './migrations/0036-conversations.ts'
import { languages } from './migrations/0037-languages.ts'
import { fileProposals } from './migrations/0038-file-proposals.ts'
import { outsideAgents } from './migrations/0039-outside-agents.ts'
import { webhooks } from './migrations/0042-webhooks.ts'
import { runAgents } from './migrations/0043-run-agents.ts'
import { models } from './migrations/0044-models.ts'
import { agents } from './migrations/0045-agents.ts'
import { usage } from './migrations/0046-usage.ts'
import { toolServers } from './migrations/0047-tool-servers.ts'
import { agentSettings } from './migrations/0048-agent-settings.ts'
import { restoredRows } from './migrations/0049-restored-rows.ts'
import { ownBudgets } from './migrations/0050-own-budgets.ts'
import type { Tables } from './tables.ts'

const migrations: Record<string, Migration> = {
  '0001_initial': initial,
  '0002_review': review,
  '0003_undo': undo,
  '0004_approvals': approvals,
  '0005_cut_rows': cutRows,
  '0006_change_seq': changeSeq,
  '0007_idle_claims': idleClaims,
  '0008_notifications': notifications,
  '0009_step_details': stepDetails,
  '0010_accounts': accounts,
  '0011_rights': rights,
  '0012_versions': versions,
  '0013_audit': audit,
  '0014_document_clients': documentClients,
  '0015_change_hands': changeHands,
  '0016_editors_share': editorsShare,
  '0017_quotas': quotas,
  '0018_image_mentions': imageMentions,
  '0019_run_credentials': runCredentials,
  '0020_unstarted_mentions': unstartedMentions,
  '0025_snapshot_steps': snapshotSteps,
  '0026_change_contributors': changeContributors,
  '0027_proposed_wording': proposedWording,
  '0028_run_decisions': runDecisions,
  '0029_comment_edits': commentEdits,
  '0030_first_words': firstWords,
  '0031_mails': mails,
  '0032_folders': folders,
  '0033_document_lists': documentLists,
  '0036_conversations': conversations,
  '0037_languages': languages,
  '0038_file_proposals': fileProposals,
  '0039_outside_agents': outsideAgents,
  '0042_webhooks': webhooks,
  '0043_run_agents': runAgents,
  '0044_models': models,
  '0045_agents': agents,
  '0046_usage': usage,
  '0047_tool_servers': toolServers,
  '0048_agent_settings': agentSettings,
  '0049_restored_rows': restoredRows,
  '0050_own_budgets': ownBudgets,
}

/**
 * Brings the schema up to date.
 * @throws with the failed migration's error as `cause`.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'the lock'
  throw new Error(`the store could not be migrated (${failed})`, { cause: error })
}
