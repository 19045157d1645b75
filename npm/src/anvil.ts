#!/usr/bin/env node
import { run } from "./program.js";

run("anvil"); // which gives the binary that preset
