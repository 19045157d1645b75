// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Holds ether until a time. It exists for the tests beside it.
contract Vault {
    error TooEarly(uint256 now_, uint256 unlockTime);
    error NotOwner(address caller);

    event Withdrawn(address indexed to, uint256 amount);

    address public owner;
    uint256 public immutable unlockTime;

    constructor(uint256 unlockTime_) payable {
        owner = msg.sender;
        unlockTime = unlockTime_;
    }

    function withdraw() external {
        if (block.timestamp < unlockTime) revert TooEarly(block.timestamp, unlockTime);
        if (msg.sender != owner) revert NotOwner(msg.sender);
        uint256 amount = address(this).balance;
        payable(owner).transfer(amount);
        emit Withdrawn(owner, amount);
    }

    function prevrandao() external view returns (uint256) {
        return block.prevrandao;
    }
}
