import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The folder of the checkout, with a slash at its end; files beside the code (contract, migrations,
 * built app) are found from it. The code runs from its sources or from a bundle at any depth below.
 */
export const projectRoot = join(dirname(findPackageJSON('..', import.meta.url) ?? ''), '/')
