import type { Me } from '@copydesk/protocol'
import { InvitationsSection } from './invitations-section.tsx'
import { PageFrame } from './page-frame.tsx'
import { PeopleSection } from './people-section.tsx'

/** For operators: accounts and invitations. */
export function PeoplePage({ me }: { me: Me }) {
  return (
    <PageFrame title="People">
      <InvitationsSection />
      <PeopleSection self={me.user.id} />
    </PageFrame>
  )
}
