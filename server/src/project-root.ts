import { fileURLToPath } from 'node:url'

/**
 * The folder of the checkout, with a slash at its end; files beside the code (contract, migrations,
 * built app) are found from it.
 */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url))
