import { Page } from '#src/ui/Page.tsx'
import { AppLock } from './AppLock.tsx'
import { AboutYou } from './AboutYou.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { DeviceMessages } from './DeviceMessages.tsx'
import { Discreet } from './Discreet.tsx'
import { Devices } from './Devices.tsx'
import { Mails } from './Mails.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Storage } from './Storage.tsx'
import { TakeAlong } from './TakeAlong.tsx'
import { ThisDevice } from './ThisDevice.tsx'
import { TokensAtAGlance } from './TokensAtAGlance.tsx'

/** `/user-profile`: the account, devices, passkeys, this device, storage, and the way out. */
export function UserProfileScreen() {
  return (
    <Page title="Your Account">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-6">
          <AboutYou />
          <TokensAtAGlance />
          <Mails />
          <DeviceMessages />
        </div>
        <div className="grid gap-6">
          <Devices />
          <Passkeys />
          <ThisDevice />
          <Discreet />
          <AppLock />
        </div>
        <Storage />
        <TakeAlong />
        <DeleteAccount />
      </div>
    </Page>
  )
}
