#!/usr/bin/env node
import { run } from "./program.js";

run("fakenode");
