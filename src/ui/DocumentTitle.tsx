import { useAtomValue } from 'jotai'
import { plainTitleAtom } from './document-title-atoms.ts'

/**
 * The title of the tab: the screen's, with the name of the product. Where the user is discreet, who
 * looks at the tabs learns neither; the screen's heading says where one is.
 */
export function DocumentTitle({ screen }: { readonly screen: string }) {
  const plain = useAtomValue(plainTitleAtom)
  return <title>{plain ?? `${screen} · Onecut`}</title>
}
