// For Hardhat Ignition: a contract and two calls of it, one after the other.
const { buildModule } = require("@nomicfoundation/hardhat-ignition/modules");

module.exports = buildModule("Boxes", (m) => {
  const box = m.contract("BoxV2");
  const filled = m.call(box, "initialize", [7]);
  m.call(box, "increment", [], { after: [filled] });
  return { box };
});
