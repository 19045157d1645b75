// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;
pragma abicoder v1;

import {TokenStorage} from "storage.sol";

/// @notice Who may do what: owner, pauser, blacklister, master minter, rescuer; the pause and the blacklist.
abstract contract Roles is TokenStorage {
    uint256 internal constant BLACKLIST_BIT = 1 << 255;

    modifier onlyOwner() {
        require(msg.sender == owner, "Ownable: caller is not the owner");
        _;
    }

    modifier whenNotPaused() {
        requireNotPaused();
        _;
    }

    modifier notBlacklisted(address account) {
        requireNotBlacklisted(account);
        _;
    }

    function requireNotPaused() private view {
        require(!paused, "Pausable: paused");
    }

    function requireNotBlacklisted(address account) internal view virtual {
        require(!isBlacklisted(account), "Blacklistable: account is blacklisted");
    }

    function transferOwnership(address newOwner) external onlyOwner {
        require(newOwner != address(0), "Ownable: new owner is the zero address");
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }

    function updatePauser(address newPauser) external onlyOwner {
        require(newPauser != address(0), "Pausable: new pauser is the zero address");
        pauser = newPauser;
        emit PauserChanged(newPauser);
    }

    function pause() external {
        setPaused(true);
        emit Pause();
    }

    function unpause() external {
        setPaused(false);
        emit Unpause();
    }

    function setPaused(bool value) private {
        require(msg.sender == pauser, "Pausable: caller is not the pauser");
        paused = value;
    }

    function updateBlacklister(address newBlacklister) external onlyOwner {
        require(newBlacklister != address(0), "Blacklistable: new blacklister is the zero address");
        blacklister = newBlacklister;
        emit BlacklisterChanged(newBlacklister);
    }

    function blacklist(address account) external {
        requireBlacklister();
        setBlacklisted(account);
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external virtual {
        requireBlacklister();
        balanceWords[account] &= ~BLACKLIST_BIT;
        emit UnBlacklisted(account);
    }

    function requireBlacklister() internal view {
        require(msg.sender == blacklister, "Blacklistable: caller is not the blacklister");
    }

    function setBlacklisted(address account) internal virtual {
        balanceWords[account] |= BLACKLIST_BIT;
    }

    function isBlacklisted(address account) public view virtual returns (bool) {
        return balanceWords[account] & BLACKLIST_BIT != 0;
    }

    function updateMasterMinter(address newMasterMinter) external onlyOwner {
        require(newMasterMinter != address(0), "FiatToken: new masterMinter is the zero address");
        masterMinter = newMasterMinter;
        emit MasterMinterChanged(newMasterMinter);
    }

    function updateRescuer(address newRescuer) external onlyOwner {
        require(newRescuer != address(0), "Rescuable: new rescuer is the zero address");
        rescuer = newRescuer;
        emit RescuerChanged(newRescuer);
    }

    /// @notice Sends tokens of another contract, stranded at this address, to someone. Works while paused.
    function rescueERC20(address tokenContract, address to, uint256 amount) external {
        require(msg.sender == rescuer, "Rescuable: caller is not the rescuer");
        require(tokenContract.code.length > 0, "Address: call to non-contract");
        // 0xa9059cbb is transfer(address,uint256); tokens that return nothing are accepted.
        (bool ok, bytes memory result) = tokenContract.call(abi.encodeWithSelector(0xa9059cbb, to, amount));
        if (!ok && result.length > 0) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
        require(ok, "SafeERC20: low-level call failed");
        require(result.length == 0 || abi.decode(result, (bool)), "SafeERC20: ERC20 operation did not succeed");
    }
}
