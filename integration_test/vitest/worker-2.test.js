import { world } from "fakenode/vitest";

import { hundred } from "./chain.js";

const { url, accounts } = await world();
hundred(url, accounts);
