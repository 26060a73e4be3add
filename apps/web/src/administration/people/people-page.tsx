import { type CreatedInvitation, CreateInvitation, type Invitation, type Me } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { OneTimeSecret } from '../../account/settings/one-time-secret.tsx'
import { createInvitation, invitationsQuery, revokeInvitation } from '../../api/caller/account.ts'
import { describeError, parse } from '../../api/client.ts'
import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormProblem } from '../../ui/fields/form.tsx'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { useAction, useSaving } from '../../ui/use-action.ts'
import { PeopleSection } from './people-section.tsx'

/** For operators: accounts and invitations. */
export function PeoplePage({ me }: { me: Me }) {
  return (
    <PageFrame title={t('People')}>
      <InvitationsSection />
      <PeopleSection self={me.user.id} />
    </PageFrame>
  )
}

/** Invitations: creates links, and revokes unused ones. */
function InvitationsSection() {
  const field = useRef<HTMLInputElement>(null)
  const [made, setMade] = useState<CreatedInvitation>()
  const revoke = useAction(revokeInvitation, {
    changes: invitationsQuery.queryKey,
    onDone: () => showToast(t('Invitation revoked.')),
  })
  const done = () => {
    setMade(undefined)
    field.current?.focus()
  }
  return (
    <Section
      title={t('Invite')}
      text={t('Each invitation is a link that creates one account. It works for seven days.')}
    >
      <div className="flex flex-col gap-4">
        <InviteForm field={field} onMade={setMade} />
        {made && (
          <OneTimeSecret
            label={t('Invitation link')}
            value={made.url}
            text={
              made.mailed
                ? t('Mailed to {email}. You can hand the link over, too. It is not shown again.', {
                    email: made.email ?? '',
                  })
                : t('Send this link to the person you invite. It is not shown again.')
            }
            onDone={done}
          />
        )}
        <Loaded query={useQuery(invitationsQuery)}>
          {(invitations) => (
            <Rows label={t('Open invitations')} rows={invitations} className="border-t border-line">
              {(invitation) => (
                <InvitationRow
                  key={invitation.id}
                  invitation={invitation}
                  isRevoking={revoke.isPending}
                  onRevoke={() => revoke.mutate(invitation.id)}
                />
              )}
            </Rows>
          )}
        </Loaded>
      </div>
    </Section>
  )
}

type InviteFormProps = { field: RefObject<HTMLInputElement | null>; onMade: (invitation: CreatedInvitation) => void }

function InviteForm({ field, onMade }: InviteFormProps) {
  const [email, setEmail] = useState('')
  const invite = useSaving(
    async () => createInvitation(parse(CreateInvitation, email.trim() === '' ? {} : { email })),
    {
      changes: invitationsQuery.queryKey,
      onDone: (invitation) => {
        setEmail('')
        onMade(invitation)
      },
    },
  )
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate()
  }
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-56 flex-1">
          <Field
            ref={field}
            label={t('E-mail address (optional)')}
            type="email"
            autoComplete="off"
            placeholder={t('Only this address may use the link')}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </div>
        <Button look="primary" type="submit" disabled={invite.isPending}>
          {t('Create link')}
        </Button>
      </div>
      <FormProblem text={invite.error ? describeError(invite.error) : undefined} />
    </form>
  )
}

type InvitationRowProps = { invitation: Invitation; isRevoking: boolean; onRevoke: () => void }

function InvitationRow({ invitation: { email, createdBy, expiresAt }, isRevoking, onRevoke }: InvitationRowProps) {
  return (
    <li className="flex min-h-14 items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p title={email ?? undefined} className="truncate font-medium">
          {email ?? t('Anyone with the link')}
        </p>
        <p className="text-sm text-ink-faint">
          {t('By {name}, until {date}', {
            name: createdBy,
            date: formatDate(expiresAt, { day: 'numeric', month: 'short' }),
          })}
        </p>
      </div>
      <Button
        size="small"
        look="danger"
        aria-label={
          email === null
            ? t('Revoke the invitation for anyone with the link')
            : t('Revoke the invitation for {email}', { email })
        }
        disabled={isRevoking}
        onClick={onRevoke}
      >
        {t('Revoke')}
      </Button>
    </li>
  )
}
